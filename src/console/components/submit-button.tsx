import type { ReactNode } from 'react';

interface SubmitButtonProps {
  readonly isBusy: boolean;
  readonly children: ReactNode;
}

/** While busy it stays focusable: a disabled button loses the keyboard focus. */
export function SubmitButton({ isBusy, children }: SubmitButtonProps) {
  return (
    <button type="submit" className="main-action" aria-disabled={isBusy}>
      {children}
    </button>
  );
}
