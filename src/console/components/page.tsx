import { type ReactNode, useEffect, useRef } from 'react';

interface PageProps {
  /** Heading of the page and title of the window. */
  readonly title: string;
  /** Whether it takes the width of the window, as a table needs it. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** The first page is where the browser has put its focus itself. */
let isFirst = true;

/**
 * One page or step. When it takes the place of another, the focus goes to the field that asks for it (`takesFocus`), or
 * else to the heading: whoever does not see the screen learns that there is something new.
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

/** In place of a page, until it is known what that shows. */
export function Loading() {
  return (
    <main className="card" aria-busy="true">
      <p>Loading…</p>
    </main>
  );
}
