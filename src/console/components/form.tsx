import { createContext, type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { SubmitButton } from './submit-button';

/** Error texts by field name. */
export type Faults = Readonly<Partial<Record<string, string>>>;

export const FormFaults = createContext<Faults>({});

interface FormProps {
  /** The button's text, and its text while the request runs. */
  readonly action: string;
  readonly doing: string;
  readonly isBusy: boolean;
  /** An error that concerns no single field. */
  readonly problem?: string | undefined;
  readonly faults?: Faults;
  readonly children: ReactNode;
  readonly onSubmit: (values: FormData) => void;
}

const NONE: Faults = {};

/** A form that shows errors beside its fields and in a live region, and handles one submission at a time. */
export function Form({
  action,
  doing,
  isBusy,
  problem,
  faults = NONE,
  children,
  onSubmit,
}: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [faults]);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!isBusy) onSubmit(new FormData(event.currentTarget));
  };
  return (
    // «post»: without it a browser could put the values of the fields into a URL.
    <form ref={form} method="post" onSubmit={submit} noValidate aria-busy={isBusy}>
      <div className="problem" role="alert">
        {problem !== undefined && !isBusy && <p>{problem}</p>}
      </div>
      <FormFaults.Provider value={faults}>{children}</FormFaults.Provider>
      <SubmitButton isBusy={isBusy}>{isBusy ? doing : action}</SubmitButton>
    </form>
  );
}

/** The value of a field as text; empty if the form has no such field. */
export function textOf(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === 'string' ? value : '';
}
