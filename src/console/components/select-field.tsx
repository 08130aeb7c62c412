import { Labelled } from './labelled';

export interface Option {
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

/** A choice of one; the first is chosen until another is. */
export function SelectField({ name, label, hint, isOptional, options }: SelectFieldProps) {
  return (
    <Labelled {...{ name, label, hint, isOptional }}>
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
