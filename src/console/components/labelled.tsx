import { type ReactNode, useContext, useId } from 'react';
import { FormFaults } from './form';

interface LabelledProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly isOptional?: boolean | undefined;
  readonly children: (control: Control) => ReactNode;
}

/** The attributes that connect a control with its label, its hint and its error. */
export interface Control {
  readonly id: string;
  readonly name: string;
  readonly required: boolean;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby'?: string;
}

/** A form control with its label, its hint and its error. */
export function Labelled({ name, label, hint, isOptional = false, children }: LabelledProps) {
  const id = useId();
  const fault = useContext(FormFaults)[name];
  const notes = [hint !== undefined && `${id}-hint`, fault !== undefined && `${id}-fault`];
  const described = notes.filter((note) => note !== false).join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {isOptional && <span className="optional"> (optional)</span>}
      </label>
      {children({
        id,
        name,
        required: !isOptional,
        'aria-invalid': fault !== undefined,
        ...(described !== '' && { 'aria-describedby': described }),
      })}
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
