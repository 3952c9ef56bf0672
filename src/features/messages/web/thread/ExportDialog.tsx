import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { messages } from '#features/messages/addresses.ts'
import { notifyError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { download } from '#web/resource/csv.ts'
import { t } from '#web/t.ts'
import css from '../rows/thread.module.css'
import trail from './trail.module.css'

const formats = [
  ['pdf', t('PDF'), t('Para ler, imprimir ou guardar')],
  ['zip', t('ZIP'), t('O PDF com todos os arquivos da conversa')],
  ['json', t('JSON'), t('Os dados, para outro sistema')],
] as const

/** Dialog that exports all messages of a ticket in a chosen format. */
export function ExportDialog({ ticketId, onClose }: { ticketId: number; onClose: () => void }) {
  const [busy, setBusy] = useState<string>()
  const take = async (format: (typeof formats)[number][0]) => {
    setBusy(format)
    try {
      const file = await call(messages.export, { params: { ticketId }, query: { format } }, { long: true, quiet: true })
      download(`atendimento-${ticketId}.${format}`, file as Blob)
      onClose()
    } catch (error) {
      notifyError(error)
    } finally {
      setBusy(undefined)
    }
  }
  return (
    <Modal opened onClose={onClose} size={420} title={t('Exportar conversa')}>
      <p className={trail.trailOf}>
        {t('Tudo o que foi dito neste atendimento. A extração fica registrada na auditoria.')}
      </p>
      <ul className={css.formats}>
        {formats.map(([format, name, effect]) => (
          <li key={format}>
            <Button
              variant="default"
              fullWidth
              loading={busy === format}
              disabled={busy !== undefined && busy !== format}
              onClick={() => void take(format)}
            >
              {t('Baixar {name}', { name })}
            </Button>
            <span>{effect}</span>
          </li>
        ))}
      </ul>
    </Modal>
  )
}
