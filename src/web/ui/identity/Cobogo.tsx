import css from './cobogo.module.css'

const pitch = 84
const arch = 'M0 67V33.5a33.5 33.5 0 0 1 67 0V59a8 8 0 0 1-8 8z'

// Positions of people at a window (yellow) and of light: fixed, so that the wall looks the same everywhere.
const lights: Record<string, 'waiting' | 'lit' | 'bright'> = {
  '4.0': 'lit',
  '6.0': 'bright',
  '9.1': 'waiting',
  '1.4': 'waiting',
  '3.4': 'lit',
  '7.4': 'bright',
  '2.5': 'lit',
  '4.5': 'bright',
  '1.6': 'waiting',
  '5.6': 'lit',
  '6.7': 'waiting',
  '9.8': 'waiting',
  '0.10': 'lit',
  '2.10': 'bright',
}

const turn = (column: number, row: number) => Math.imul(column * 31 + row * 17 + 5, 2654435761) >>> 30

/** The pierced-brick pattern of arches, in the tenant's colour; a quiet ground for login, signup and empty pages. */
export function Cobogo({ columns, rows, waiting = true }: { columns: number; rows: number; waiting?: boolean }) {
  const cells = Array.from({ length: columns * rows }, (_, index) => {
    const column = index % columns
    const row = Math.floor(index / columns)
    const light = lights[`${column}.${row}`]
    return { column, row, kind: light && (waiting || light !== 'waiting') ? light : 'plain' }
  })
  return (
    <svg
      className={css.wall}
      viewBox={`0 0 ${columns * pitch} ${rows * pitch}`}
      preserveAspectRatio="xMinYMin slice"
      aria-hidden="true"
    >
      {cells.map(({ column, row, kind }) => (
        <g key={`${column}.${row}`} transform={`translate(${column * pitch + 8.5} ${row * pitch + 8.5})`}>
          <path
            className={css[kind]}
            d={arch}
            transform={kind === 'waiting' ? undefined : `rotate(${turn(column, row) * 90} 33.5 33.5)`}
          />
          {kind === 'waiting' && <rect className={css.counter} x="19" y="31" width="29" height="6" rx="3" />}
        </g>
      ))}
    </svg>
  )
}
