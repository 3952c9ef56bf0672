import { useMemo } from 'react'
import { encode } from 'uqr'
import css from './qr.module.css'

type Shown = { readonly text: string; readonly label: string }

/**
 * QR code of a text (or, given a data URI, its picture), dark on light in both colour schemes, because cameras need it;
 * `label` is its accessible name.
 */
export const QrCode = ({ text, label }: Shown) =>
  text.startsWith('data:image/') ? (
    <div className={css.paper}>
      <img src={text} alt={label} />
    </div>
  ) : (
    <DrawnCode text={text} label={label} />
  )

function DrawnCode({ text, label }: Shown) {
  const { size, path } = useMemo(() => {
    const { size, data } = encode(text, { ecc: 'M', border: 3 })
    const runs = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : [])))
    return { size, path: runs.join('') }
  }, [text])
  return (
    <div className={css.paper} data-mantine-color-scheme="light">
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
        <path d={path} fill="currentColor" />
      </svg>
    </div>
  )
}
