import type { BulkAnswer } from '#kit/bulk.ts'
import { plural, t } from '#web/t.ts'
import css from './bulk-bars.module.css'

const most = 5

/** List of refusal reasons, each with its records; `nameOf` returns a record's name if known. */
export function Refusals(props: { refused: BulkAnswer['refused']; nameOf?: (id: number) => string | undefined }) {
  const { refused, nameOf } = props
  const reasons = new Map<string, number[]>()
  for (const { id, text } of refused) reasons.set(text, [...(reasons.get(text) ?? []), id])
  const name = (id: number) => nameOf?.(id) ?? `#${id}`
  return (
    <ul className={css.refusals}>
      {[...reasons].map(([text, ids]) => (
        <li key={text}>
          {text} <b>{ids.slice(0, most).map(name).join(', ')}</b>
          {ids.length > most && ` ${t('e')} ${plural(ids.length - most, t('outro'), t('outros'))}`}
        </li>
      ))}
    </ul>
  )
}
