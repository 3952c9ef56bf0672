import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '#web/t.ts'
import css from '../attendance.module.css'

/** Context panel as a drawer, where the window has no room beside the conversation; Esc and back call `onBack`. */
export function ContextDrawer(props: {
  isWhole: boolean
  onClose: () => void
  onBack: () => void
  children: ReactNode
}) {
  const { isWhole, onClose, onBack, children } = props
  return (
    <Drawer
      opened
      onClose={onBack}
      closeButtonProps={{ 'aria-label': t('Fechar'), onClick: onClose }}
      size={isWhole ? '100%' : 360}
      padding={0}
      title={<span className={css.drawerTitle}>{t('Dados do contato')}</span>}
    >
      {children}
    </Drawer>
  )
}
