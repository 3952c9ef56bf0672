import { type ReactNode, type Ref, useId } from 'react'
import { t } from '#web/t.ts'
import { CloseIcon } from '#web/ui/icons.ts'
import { Notice } from '#web/ui/inputs/fields.tsx'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import css from './builder.module.css'

/** Side panel of the builder: step, settings, problems or versions. On a phone it fills the screen. */
export function SidePanel(props: {
  kind: string
  title: string
  tools?: ReactNode
  tabs?: ReactNode
  /** Reason of a refusal, shown at the top. */
  refusal?: string | undefined
  panel: Ref<HTMLElement>
  onClose: () => void
  children: ReactNode
}) {
  const { kind, title, tools, tabs, refusal, panel, onClose, children } = props
  const id = useId()
  return (
    <aside ref={panel} className={css.panel} aria-labelledby={id} tabIndex={-1}>
      <header>
        <div>
          <small>{kind}</small>
          <h2 id={id} className="g-cut">
            {title}
          </h2>
        </div>
        {tools}
        <IconButton aria-label={t('Fechar o painel')} onClick={onClose}>
          <CloseIcon size={19} />
        </IconButton>
      </header>
      {tabs && <div className={css.tabs}>{tabs}</div>}
      <div className={css.panelBody}>
        {refusal && <Notice tone="neg">{refusal}</Notice>}
        {children}
      </div>
    </aside>
  )
}
