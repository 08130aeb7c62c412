import { useState } from 'react';
import { Labelled } from './labelled';

interface FieldProps {
  readonly name: string;
  readonly label: string;
  /** The value of the `autocomplete` attribute. */
  readonly autoComplete: string;
  readonly hint?: string;
  readonly isOptional?: boolean;
  /** Whether it gets the focus when its page replaces another one. */
  readonly takesFocus?: boolean;
}

export function TextField(props: FieldProps) {
  return <Field {...props} type="text" />;
}

export function EmailField(props: FieldProps) {
  return <Field {...props} type="email" />;
}

/** A password field with a button that shows its text. */
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
  isOptional,
  takesFocus,
  type,
}: FieldProps & { readonly type: string }) {
  return (
    <Labelled name={name} label={label} hint={hint} isOptional={isOptional}>
      {(control) => (
        <input
          {...control}
          type={type}
          autoComplete={autoComplete}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          {...(takesFocus === true && { 'data-takes-focus': '' })}
        />
      )}
    </Labelled>
  );
}
