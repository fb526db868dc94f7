import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react';
import { Button, IconButton } from '../button.tsx';
import { Checkbox } from '../checkbox.tsx';
import { MenuButton } from '../menu-button.tsx';
import type { TableColumns } from './use-table-columns.ts';

export function ColumnChooser<Row>({ columns }: { readonly columns: TableColumns<Row> }) {
  const { ordered, isShown, setShown, move, reset } = columns;
  const offered = ordered.filter(({ fixed }) => !fixed);
  return (
    <MenuButton icon={Columns3} name="Columns">
      <ul className="flex w-64 max-w-full flex-col">
        {offered.map((column, at) => (
          <li key={column.id} className="flex items-center justify-between gap-2">
            <Checkbox text={column.title} checked={isShown(column)} onChange={(shown) => setShown(column.id, shown)} />
            <span className="flex">
              <IconButton
                icon={ArrowUp}
                name={`${column.title} earlier`}
                disabled={at === 0}
                onClick={() => move(column.id, -1)}
              />
              <IconButton
                icon={ArrowDown}
                name={`${column.title} later`}
                disabled={at === offered.length - 1}
                onClick={() => move(column.id, 1)}
              />
            </span>
          </li>
        ))}
      </ul>
      <Button look="plain" disabled={reset === undefined} onClick={reset}>
        Reset to default
      </Button>
    </MenuButton>
  );
}
