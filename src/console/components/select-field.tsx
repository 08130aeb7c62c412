import { Labelled } from './labelled';

interface Option {
  readonly value: string;
  readonly label: string;
}

interface SelectFieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly isOptional?: boolean;
  readonly options: readonly Option[];
}

/** A select control; the first option is the default. */
export function SelectField({ name, label, hint, isOptional, options }: SelectFieldProps) {
  return (
    <Labelled name={name} label={label} hint={hint} isOptional={isOptional}>
      {(control) => (
        <select {...control}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}
