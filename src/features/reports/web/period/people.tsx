import type { Measure } from '#domain/reports/measures.ts'
import type { Door } from '#web/charts/chart.ts'
import { DoorLink } from '#web/charts/DoorLink.tsx'
import { formatNumber } from '#web/format.ts'
import { t } from '#web/t.ts'
import { StarIcon } from '#web/ui/icons.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import { type Column, DataTable } from '#web/ui/table/DataTable.tsx'
import type { Interval, PersonRow } from '../../contract.ts'
import { MeasureInfo } from '../MeasureInfo.tsx'
import css from '../reports.module.css'
import { msOf, spanOf } from '../spans.ts'

type Names = Readonly<Record<string, string | number | undefined>>

/** Table of a period's statistics by user; every count opens its tickets. */
export function People({ rows, doorOf }: { rows: readonly PersonRow[]; doorOf: (more: Names) => Door }) {
  const own = ({ id }: PersonRow, more: Names = {}) => doorOf({ pessoas: id ?? 'none', ...more })
  const counted = (key: string, title: string, of: (row: PersonRow) => number, more?: Names): Column<PersonRow> => ({
    key,
    title,
    numeric: true,
    cell: (row) => <DoorLink door={own(row, more)}>{formatNumber(of(row))}</DoorLink>,
  })
  const timed = (measure: Measure, title: string, of: (row: PersonRow) => Interval): Column<PersonRow> => ({
    key: measure,
    title,
    info: <MeasureInfo measure={measure} />,
    numeric: true,
    cell: (row) => {
      const text = spanOf(msOf(of(row)))
      return of(row) === null ? text : <DoorLink door={own(row, { medida: measure })}>{text}</DoorLink>
    },
  })
  const columns: readonly Column<PersonRow>[] = [
    {
      key: 'name',
      title: t('Nome'),
      cell: (row) => <PersonCell row={row} />,
    },
    counted('pending', t('Pendentes'), (row) => row.qtd_pendentes, { status: 'pending' }),
    counted('open', t('Atendendo'), (row) => row.qtd_em_atendimento, { status: 'open' }),
    counted('closed', t('Finalizados'), (row) => row.qtd_resolvidos, { status: 'closed' }),
    counted('total', t('Total'), (row) => row.qtd_por_usuario),
    {
      key: 'rating',
      title: t('Avaliação'),
      info: <MeasureInfo measure="rating" />,
      numeric: true,
      cell: (row) =>
        row.rating === null ? (
          '—'
        ) : (
          <DoorLink door={own(row, { medida: 'rating' })} className={css.stars}>
            <StarIcon size={15} /> {row.rating.toLocaleString('pt-BR', { maximumFractionDigits: 1 })}
          </DoorLink>
        ),
    },
    timed('tme', t('Espera'), (row) => row.tme),
    timed('firstAnswer', t('1ª resposta'), (row) => row.first_response),
    timed('tma', t('TMA'), (row) => row.tma),
  ]
  return (
    <Card title={t('Desempenho por atendente')} flush>
      <DataTable
        label={t('Desempenho por atendente')}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.id ?? 'none'}
      />
    </Card>
  )
}

function PersonCell({ row }: { row: PersonRow }) {
  return (
    <span className={css.person}>
      {row.id !== null && <Avatar id={row.id} name={row.name ?? ''} size={30} />}
      <span className="g-cut">{row.name ?? t('Sem responsável')}</span>
    </span>
  )
}

const MOST_CARDS = 12

/** Cards of the users with the most tickets. */
export function PeopleCards({ rows, doorOf }: { rows: readonly PersonRow[]; doorOf: (more: Names) => Door }) {
  const people = rows.filter(({ id }) => id !== null).slice(0, MOST_CARDS)
  if (people.length === 0) return <p className={css.hiddenPanels}>{t('Nenhum atendimento no período.')}</p>
  return (
    <ul className={css.peopleCards}>
      {people.map((row) => (
        <li key={row.id}>
          <Avatar id={row.id!} name={row.name ?? ''} size={34} />
          <span className="g-cut">{row.name}</span>
          <DoorLink door={doorOf({ pessoas: row.id! })} className={css.span}>
            {formatNumber(row.qtd_por_usuario)} <span className="g-hidden">{t('atendimentos')}</span>
          </DoorLink>
          <small>
            {t('{closed} finalizados · TMA {tma}', {
              closed: formatNumber(row.qtd_resolvidos),
              tma: spanOf(msOf(row.tma)),
            })}
          </small>
        </li>
      ))}
    </ul>
  )
}
