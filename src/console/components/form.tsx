import { createContext, type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { SubmitButton } from './submit-button';

/** What is wrong, by the name of the field. */
export type Faults = Readonly<Partial<Record<string, string>>>;

export const FormFaults = createContext<Faults>({});

interface FormProps {
  /** What the button says, and while it is being done. */
  readonly action: string;
  readonly doing: string;
  readonly isBusy: boolean;
  /** What is wrong with no one field. */
  readonly problem?: string | undefined;
  readonly faults?: Faults;
  readonly children: ReactNode;
  readonly onSubmit: (values: FormData) => void;
}

const NONE: Faults = {};

/** A form that tells its faults beside the fields and in a live region, and takes one submission at a time. */
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
    // «post»: no browser may ever write what is in the fields into an address.
    <form ref={form} method="post" onSubmit={submit} noValidate aria-busy={isBusy}>
      <div className="problem" role="alert">
        {problem !== undefined && !isBusy && <p>{problem}</p>}
      </div>
      <FormFaults.Provider value={faults}>{children}</FormFaults.Provider>
      <SubmitButton isBusy={isBusy}>{isBusy ? doing : action}</SubmitButton>
    </form>
  );
}

/** A field as text; empty where it is not there. */
export function textOf(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === 'string' ? value : '';
}
