import { t } from '#web/t.ts'
import css from './builder.module.css'
import type { ChangeText } from './change-texts.ts'

/** List of differences; each opens its step. */
export function ChangeList({ texts, onShow }: { texts: readonly ChangeText[]; onShow: (nodeId: string) => void }) {
  if (texts.length === 0) return <p>{t('Nenhuma diferença.')}</p>
  return (
    <ul className={css.problems} aria-label={t('Diferenças')}>
      {texts.map(({ nodeId, mark, text }, index) => (
        <li key={index}>
          <button type="button" onClick={() => nodeId !== null && onShow(nodeId)}>
            <i className={css.dot} data-mark={mark} />
            <span>{text}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
