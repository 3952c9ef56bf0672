import { t } from '#web/t.ts'
import { AddIcon, EditIcon, HideIcon, MinusIcon, PositiveIcon } from '#web/ui/icons.ts'
import css from './builder.module.css'
import type { Mark } from './marks.ts'

const looks = {
  lit: [PositiveIcon, t('A conversa passou por aqui')],
  uncovered: [HideIcon, t('Nenhum caso passa por aqui')],
  added: [AddIcon, t('Novo')],
  removed: [MinusIcon, t('Excluído')],
  changed: [EditIcon, t('Alterado')],
} as const

/** Icon of a highlighted step or edge, with the reason as its label. */
export function PaintMark({ mark }: { mark: Mark | undefined }) {
  if (!mark) return null
  const [Icon, label] = looks[mark]
  return (
    <span className={css.paint} data-mark={mark} role="img" aria-label={label} title={label}>
      <Icon size={15} />
    </span>
  )
}
