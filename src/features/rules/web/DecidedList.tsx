import { t } from '#web/t.ts'
import { CheckIcon, CloseIcon } from '#web/ui/icons.ts'
import type { DecidedCondition } from '../contract.ts'
import { askedText, foundText } from './labels.ts'
import css from './rules.module.css'

/** List of a rule's conditions with result and deciding values. */
export function DecidedList({ decided }: { decided: readonly DecidedCondition[] }) {
  if (decided.length === 0) return null
  return (
    <ul className={css.decided} aria-label={t('Condições')}>
      {decided.map((one, index) => {
        const found = foundText(one)
        const [Icon, state] = one.matches ? [CheckIcon, t('Valeu')] : [CloseIcon, t('Não valeu')]
        return (
          <li key={index} data-matches={one.matches}>
            <Icon size={15} aria-label={state} role="img" />
            <span>
              {askedText(one)}
              {found !== '' && <em>{found}</em>}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
