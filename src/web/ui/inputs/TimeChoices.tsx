import css from './choices.module.css'

/** List of moments, each chosen by one click; `shown` formats a moment (until 14:30). */
export function TimeChoices(props: {
  times: readonly { label: string; shown: string; at: Date }[]
  disabled: boolean
  onPick: (at: Date) => void
}) {
  return (
    <div className={css.choices}>
      {props.times.map(({ label, shown, at }, index) => (
        <button
          key={label}
          type="button"
          disabled={props.disabled}
          data-autofocus={index === 0 || undefined}
          onClick={() => props.onPick(at)}
        >
          <span>{label}</span>
          <span>{shown}</span>
        </button>
      ))}
    </div>
  )
}
