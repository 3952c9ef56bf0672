import { Button, Modal, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { contacts } from '#features/contacts/addresses.ts'
import type { ContactRow } from '#features/contacts/contract.ts'
import { query } from '#web/client.ts'
import { t } from '#web/t.ts'
import { SearchIcon } from '#web/ui/icons.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { channelLook } from '#web/ui/identity/channels.ts'
import css from './dialogs.module.css'
import { useConnections } from './list/choices.ts'
import { formatPhone } from './names.ts'
import { start } from './start.ts'

/** “Iniciar conversa”: a contact and the connection to write from; a conversation that exists is offered instead. */
export function NewConversation({ onOpen, onClose }: { onOpen: (id: number) => void; onClose: () => void }) {
  const [text, setText] = useState('')
  const [search, setSearch] = useState('')
  const [contact, setContact] = useState<ContactRow | null>(null)
  const usable = useConnections().data?.filter((one) => one.isAllowed && one.status === 'CONNECTED')
  const [chosen, setChosen] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text.trim()), 250)
    return () => clearTimeout(timer)
  }, [text])
  const { data } = useQuery({
    ...query(contacts.list, { query: search ? { searchParam: search } : {} }),
    placeholderData: (before) => before,
  })
  const connection = chosen ?? String((usable?.find((one) => one.isDefault) ?? usable?.[0])?.id ?? '')
  const begin = async () => {
    if (!contact || !connection) return
    setBusy(true)
    const id = await start(contact.id, Number(connection), (other) => {
      onClose()
      onOpen(other)
    })
    setBusy(false)
    if (id === null) return
    onClose()
    onOpen(id)
  }
  return (
    <Modal opened onClose={onClose} size={480} padding={20} title={t('Iniciar conversa')}>
      <div className={css.form}>
        <TextInput
          data-autofocus
          value={text}
          placeholder={t('Nome, número ou e-mail')}
          aria-label={t('Buscar contato')}
          leftSection={<SearchIcon size={17} />}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <div className={css.people} role="radiogroup" aria-label={t('Contato')}>
          {data?.contacts.length === 0 && <p className={css.none}>{t('Nenhum contato encontrado.')}</p>}
          {data?.contacts
            .filter((one) => !one.blocked)
            .map((one) => (
              <label key={one.id} className={css.person} data-chosen={one.id === contact?.id || undefined}>
                <input type="radio" name="contact" checked={one.id === contact?.id} onChange={() => setContact(one)} />
                <Avatar id={one.id} name={one.name} src={one.profilePicUrl} size={36} />
                <span>
                  <b className="g-cut">{one.name}</b>
                  <span className="g-cut">{formatPhone(one.number) || one.email || t('Sem número')}</span>
                </span>
              </label>
            ))}
        </div>
        <Select
          label={t('Conexão')}
          placeholder={usable?.length === 0 ? t('Nenhum canal conectado') : t('Escolha o canal')}
          disabled={usable?.length === 0}
          data={(usable ?? []).map(({ id, name, type }) => ({
            value: String(id),
            label: `${name} · ${channelLook(type).name}`,
          }))}
          value={connection || null}
          onChange={setChosen}
        />
        <div className={css.foot}>
          <Button variant="default" onClick={onClose}>
            {t('Cancelar')}
          </Button>
          <Button disabled={!contact || !connection} loading={busy} onClick={() => void begin()}>
            {t('Iniciar conversa')}
          </Button>
        </div>
      </div>
    </Modal>
  )
}
