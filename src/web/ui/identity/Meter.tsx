import css from './meter.module.css'

/** Bar of how much of a limit is used; red from 80 %. */
export function Meter({ label, used, most }: { label: string; used: number; most: number }) {
  const share = most > 0 ? Math.min(100, Math.round((100 * used) / most)) : 0
  return (
    <div
      className={css.meter}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={share}
      data-over={share >= 80 || undefined}
    >
      <i style={{ width: `${share}%` }} />
    </div>
  )
}
