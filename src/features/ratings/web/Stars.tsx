import { t } from '#web/t.ts'
import { StarIcon } from '#web/ui/icons.ts'
import css from './ratings.module.css'

const five = [1, 2, 3, 4, 5]

/** Rating as five stars and a number; a mean is rounded. */
export function Stars({ value }: { value: number }) {
  const shown = value.toLocaleString('pt-BR', { maximumFractionDigits: 1 })
  return (
    <span className={css.stars} role="img" aria-label={t('Nota {value} de 5', { value: shown })}>
      {five.map((star) => (
        <StarIcon key={star} size={14} data-filled={star <= Math.round(value) || undefined} />
      ))}
      <b className="g-num">{shown}</b>
    </span>
  )
}
