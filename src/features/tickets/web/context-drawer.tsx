import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '#web/t.ts'
import css from './attendance.module.css'

/** The context panel where the window has no room beside the conversation. */
export function ContextDrawer(props: { isWhole: boolean; onClose: () => void; children: ReactNode }) {
  const { isWhole, onClose, children } = props
  return (
    <Drawer
      opened
      onClose={onClose}
      size={isWhole ? '100%' : 360}
      padding={0}
      title={<span className={css.drawerTitle}>{t('Dados do contato')}</span>}
    >
      {children}
    </Drawer>
  )
}
