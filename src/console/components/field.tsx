import { useContext, useId, useState } from 'react';
import { FormFaults } from './form';

interface FieldProps {
  readonly name: string;
  readonly label: string;
  /** What a password manager or a browser may fill in. */
  readonly autoComplete: string;
  readonly hint?: string;
  /** It gets the focus when its page takes the place of another. */
  readonly takesFocus?: boolean;
}

export function TextField(props: FieldProps) {
  return <Field {...props} type="text" />;
}

export function EmailField(props: FieldProps) {
  return <Field {...props} type="email" />;
}

/** With a button that shows what was typed. */
export function PasswordField(props: FieldProps) {
  const [isShown, setShown] = useState(false);
  return (
    <div className="password">
      <Field {...props} type={isShown ? 'text' : 'password'} />
      <button
        type="button"
        className="reveal"
        aria-pressed={isShown}
        aria-label={`Show ${props.label.toLowerCase()}`}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? 'Hide' : 'Show'}
      </button>
    </div>
  );
}

function Field({
  name,
  label,
  autoComplete,
  hint,
  takesFocus,
  type,
}: FieldProps & { readonly type: string }) {
  const id = useId();
  const fault = useContext(FormFaults)[name];
  const notes = [hint !== undefined && `${id}-hint`, fault !== undefined && `${id}-fault`];
  const described = notes.filter((note) => note !== false).join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...{ id, name, type, autoComplete }}
        required
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        aria-invalid={fault !== undefined}
        {...(described !== '' && { 'aria-describedby': described })}
        {...(takesFocus === true && { 'data-takes-focus': '' })}
      />
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <p className="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}
