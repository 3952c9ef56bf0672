import { t } from '../t.ts'
import type { Column } from '../ui/table/DataTable.tsx'
import { OrderHandle } from './OrderHandle.tsx'

type Placed = { readonly id: number; readonly name: string; readonly position: number }
type Ordered<Row> = { readonly shown: readonly Row[]; readonly move: (id: number, to: number) => Promise<void> }

/** Column of rows in manual order (`useOrder`): a handle if the whole list is loaded, else the row's number. */
export const positionColumn = <Row extends Placed>({ shown, move }: Ordered<Row>, isWhole: boolean): Column<Row> => ({
  key: 'position',
  title: t('Ordem'),
  cell: (row) =>
    isWhole ? (
      <OrderHandle name={row.name} position={shown.indexOf(row)} onMove={(to) => void move(row.id, to)} />
    ) : (
      row.position
    ),
})
