import css from './mark.module.css'

/** Background of the mark: paper (default), the rail, or one colour on a dark ground. */
type MarkTone = 'paper' | 'rail' | 'mono'

/** The product's mark: arch, counter and circumflex. `size` is its height in px, at least 16. */
export function Mark({ size = 34, tone = 'paper' }: { size?: number; tone?: MarkTone }) {
  return (
    <svg
      className={css.mark}
      data-tone={tone}
      width={(size * 44) / 46}
      height={size}
      viewBox="0 0 44 46"
      aria-hidden="true"
    >
      <path className={css.arch} d="M0 46V22a22 22 0 0 1 44 0v17.5a6.5 6.5 0 0 1-6.5 6.5z" />
      <path className={css.roof} d="M12.6 22.2 22 12.7l9.4 9.5" />
      <rect className={css.counter} x="9.6" y="30.4" width="24.8" height="5.4" rx="2.7" />
    </svg>
  )
}

/** The mark with the name beside it (`letters` px), its circumflex in ipê yellow. */
export function Wordmark(props: { size?: number; letters?: number; tone?: MarkTone }) {
  const { size = 32, letters = size * 0.8, tone = 'paper' } = props
  return (
    <span className={css.word} data-tone={tone} style={{ fontSize: letters }}>
      <Mark size={size} tone={tone} />
      <span role="img" aria-label="Guichê" className={css.letters}>
        Guich
        <span className={css.e}>
          e
          <svg viewBox="0 0 20 12" aria-hidden="true">
            <path d="M2.5 9.5 10 2.8l7.5 6.7" />
          </svg>
        </span>
      </span>
    </span>
  )
}

/** Illustration of every empty state: three service windows, the middle one open. */
export function ThreeArches() {
  const closed = (x: number) => (
    <g transform={`translate(${x} 0)`}>
      <path className={css.closed} d="M0 40V18a18 18 0 0 1 36 0v18a4 4 0 0 1-4 4z" />
      <rect className={css.shut} x="8" y="20" width="20" height="4" rx="2" />
    </g>
  )
  return (
    <svg width="132" height="48" viewBox="0 0 132 48" aria-hidden="true">
      {closed(4)}
      {closed(92)}
      <g transform="translate(48 0)">
        <path className={css.arch} d="M0 40V18a18 18 0 0 1 36 0v18a4 4 0 0 1-4 4z" />
        <path className={css.roof} style={{ strokeWidth: 4 }} d="M10.5 18.5 18 11l7.5 7.5" />
        <rect className={css.counter} x="8.4" y="26" width="19.2" height="4" rx="2" />
      </g>
      <rect className={css.ground} x="0" y="43" width="132" height="2.5" />
    </svg>
  )
}
