import { type ReactNode, useEffect, useRef } from 'react';

interface PageProps {
  /** Heading of the page and title of the window. */
  readonly title: string;
  /** Whether the page is as wide as the window, which tables need. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** On the first page the browser sets the focus itself. */
let isFirst = true;

/**
 * One page or step. When it replaces another one, the focus moves to the field with `takesFocus`, or else to the
 * heading, so that a screen reader announces the new page.
 */
export function Page({ title, isWide = false, children }: PageProps) {
  const main = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Doorward`;
    if (!isFirst) {
      const field = main.current?.querySelector<HTMLElement>('[data-takes-focus]');
      (field ?? heading.current)?.focus();
    }
    isFirst = false;
  }, [title]);
  return (
    <main className={isWide ? 'card wide' : 'card'} ref={main}>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </main>
  );
}

/** Shown until the data of a page is loaded. */
export function Loading() {
  return (
    <main className="card" aria-busy="true">
      <p>Loading…</p>
    </main>
  );
}
