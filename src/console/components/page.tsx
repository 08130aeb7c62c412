import { type ReactNode, useEffect, useRef } from 'react';

interface PageProps {
  /** Heading of the page and title of the window. */
  readonly title: string;
  readonly children: ReactNode;
}

/** The first page is where the browser has put its focus itself. */
let isFirst = true;

/**
 * One page or step. When it takes the place of another, the focus goes to the field that asks for it (`takesFocus`), or
 * else to the heading: whoever does not see the screen learns that there is something new.
 */
export function Page({ title, children }: PageProps) {
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
    <main className="card" ref={main}>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </main>
  );
}
