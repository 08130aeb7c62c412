import { Outlet } from '@tanstack/react-router';

/** What all pages share. */
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
