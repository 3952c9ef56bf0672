import { Modal } from '@mantine/core'
import { t } from '#web/t.ts'
import { PhoneForm } from './PhoneForm.tsx'

/** “Ligar por um assistente”: a voice assistant calls the contact of a ticket. */
export function CallCustomer({ ticketId, name, onClose }: { ticketId: number; name: string; onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title={t('Ligar para {name} por um assistente', { name })}>
      <PhoneForm ticketId={ticketId} />
    </Modal>
  )
}
