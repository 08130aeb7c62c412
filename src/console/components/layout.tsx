import { Outlet } from '@tanstack/react-router';

/** The frame of all pages. */
export function Layout() {
  return (
    <>
      <header className="brand">
        <span className="brand-mark" aria-hidden="true" />
        Doorward
      </header>
      <Outlet />
    </>
  );
}
