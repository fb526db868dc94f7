import { counted } from './format.ts';

/** What an action costs, on the control that triggers it: `<Button>Refresh <PriceTag credits={75} /></Button>`. */
export function PriceTag({ credits }: { readonly credits: number }) {
  return (
    <span className="rounded-4 border border-current px-1 text-11 leading-[14px] font-normal">
      <span className="num">{counted(credits, 'credit')}</span>
    </span>
  );
}
