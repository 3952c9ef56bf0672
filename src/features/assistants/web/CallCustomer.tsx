import { Modal } from '@mantine/core'
import { t } from '#web/t.ts'
import css from './assistants.module.css'
import { PhoneForm } from './PhoneForm.tsx'

/** “Ligar por um assistente”: dialog that has a voice assistant call the contact of a ticket. */
export function CallCustomer({ ticketId, name, onClose }: { ticketId: number; name: string; onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title={t('Ligar para {name}', { name })}>
      <div className={css.column}>
        <p className="g-help">{t('Um assistente de voz liga e conversa; o resumo entra no atendimento no fim.')}</p>
        <PhoneForm ticketId={ticketId} />
      </div>
    </Modal>
  )
}
