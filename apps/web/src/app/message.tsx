import { type ReactNode, useEffect } from 'react';

export function Message({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · L4 Desk`;
  }, [title]);
  return (
    <main className="flex h-full items-center justify-center p-4">
      <div className="flex w-full max-w-md flex-col gap-3">
        <h1 className="text-20 font-semibold text-strong">{title}</h1>
        {children}
      </div>
    </main>
  );
}
