import type { ReactNode } from 'react';

interface SubmitButtonProps {
  readonly isBusy: boolean;
  readonly children: ReactNode;
}

/** Busy, it stays focusable: a disabled button would lose the place of whoever uses the keyboard. */
export function SubmitButton({ isBusy, children }: SubmitButtonProps) {
  return (
    <button type="submit" className="main-action" aria-disabled={isBusy}>
      {children}
    </button>
  );
}
