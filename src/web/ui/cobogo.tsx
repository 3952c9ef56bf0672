import css from './cobogo.module.css'

const pitch = 84
const arch = 'M0 67V33.5a33.5 33.5 0 0 1 67 0V59a8 8 0 0 1-8 8z'

const mix = (column: number, row: number) => {
  const hash = Math.imul(column * 374761393 + row * 668265263, 1274126177)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** The pierced-brick pattern of arches, in the tenant's colour; a quiet ground for login, signup and empty pages. */
export function Cobogo({ columns, rows, waiting = true }: { columns: number; rows: number; waiting?: boolean }) {
  const cells = Array.from({ length: columns * rows }, (_, index) => {
    const column = index % columns
    const row = Math.floor(index / columns)
    const seed = mix(column + 3, row + 7)
    const lit = seed % 23
    return {
      column,
      row,
      turn: seed % 4,
      kind: waiting && lit === 0 ? 'waiting' : lit === 5 ? 'lit' : lit === 11 ? 'bright' : 'plain',
    }
  })
  return (
    <svg
      className={css.wall}
      viewBox={`0 0 ${columns * pitch} ${rows * pitch}`}
      preserveAspectRatio="xMinYMin slice"
      aria-hidden="true"
    >
      {cells.map(({ column, row, turn, kind }) => (
        <g key={`${column}.${row}`} transform={`translate(${column * pitch + 8.5} ${row * pitch + 8.5})`}>
          <path
            className={css[kind]}
            d={arch}
            transform={kind === 'waiting' ? undefined : `rotate(${turn * 90} 33.5 33.5)`}
          />
          {kind === 'waiting' && <rect className={css.counter} x="19" y="31" width="29" height="6" rx="3" />}
        </g>
      ))}
    </svg>
  )
}
