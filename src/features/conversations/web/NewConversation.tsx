import { Button, Modal, Select } from '@mantine/core'
import { useState } from 'react'
import { lazyPart } from '#web/lazy-part.ts'
import { t } from '#web/t.ts'
import css from '#web/ui/feedback/dialogs.module.css'
import { channelLook } from '#web/ui/identity/channels.ts'
import { BeginWithTemplate } from './BeginWithTemplate.tsx'
import { contactScreens } from './contact-screens.ts'
import { useConnections } from './list/choices.ts'
import { start } from './start.ts'

const ContactChoice = lazyPart(async () => await contactScreens().loadChoice())

/** “Iniciar conversa”: a contact and the connection to write from; a conversation that exists is offered instead. */
export function NewConversation({ onOpen, onClose }: { onOpen: (id: number) => void; onClose: () => void }) {
  const [contactId, setContactId] = useState<number | null>(null)
  const usable = useConnections()?.filter((one) => one.isAllowed && one.status === 'CONNECTED')
  const [chosen, setChosen] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [isClosed, setClosed] = useState(false)
  const connection = chosen ?? String((usable?.find((one) => one.isDefault) ?? usable?.[0])?.id ?? '')
  const begin = async () => {
    if (contactId === null || !connection) return
    setBusy(true)
    const follow = (other: number) => {
      onClose()
      onOpen(other)
    }
    const id = await start(contactId, Number(connection), follow, () => setClosed(true))
    setBusy(false)
    if (id === null) return
    onClose()
    onOpen(id)
  }
  if (isClosed && contactId !== null)
    return <BeginWithTemplate {...{ contactId, whatsappId: Number(connection), onOpen, onClose }} />
  return (
    <Modal opened onClose={onClose} size={480} title={t('Iniciar conversa')}>
      <div className={css.form}>
        <ContactChoice chosen={contactId} onChoose={setContactId} />
        <Select
          label={t('Canal')}
          placeholder={usable?.length === 0 ? t('Nenhum canal conectado') : t('Escolha o canal')}
          disabled={usable?.length === 0}
          data={(usable ?? []).map(({ id, name, type }) => ({
            value: String(id),
            label: `${name} · ${channelLook(type).name}`,
          }))}
          value={connection || null}
          onChange={setChosen}
        />
        <div className={css.footer}>
          <Button variant="default" onClick={onClose}>
            {t('Cancelar')}
          </Button>
          <Button disabled={contactId === null || !connection} loading={busy} onClick={() => void begin()}>
            {t('Iniciar conversa')}
          </Button>
        </div>
      </div>
    </Modal>
  )
}
