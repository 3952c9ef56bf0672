import { useState } from 'react'
import { cardOf, locationOf, pollOf } from '#domain/messages/data.ts'
import { isInteractive } from '#domain/messages/interactive.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { notifyError } from '#web/api.ts'
import { isRestricted, may } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { LocationIcon, PersonIcon } from '#web/ui/icons.ts'
import { contactScreens } from '../registries/contact-screens.ts'
import css from './data-card.module.css'
import { Pressable } from './Pressable.tsx'

type Props = {
  message: MessageRow
  /** Starts a conversation with a contact. */
  onStart: ((contactId: number) => void) | undefined
}

/** Data of a message without text or file: location, contact card, poll options or interactive parts. */
export function DataCard({ message, onStart }: Props) {
  const { data, mediaType } = message
  if (mediaType === 'location') return <LocationCard data={data} />
  if (mediaType === 'poll') return <PollOptions data={data} />
  return isInteractive(mediaType) ? (
    <Pressable type={mediaType} data={data} />
  ) : (
    <ContactCard message={message} onStart={onStart} />
  )
}

// Options of a poll; one votes on one's own device.
function PollOptions({ data }: { data: unknown }) {
  const poll = pollOf(data)
  if (!poll) return null
  return (
    <>
      <p className={css.footer}>
        {poll.many ? t('Enquete · várias respostas possíveis') : t('Enquete · uma resposta')}
      </p>
      <ul className={css.buttons} aria-label={t('Opções da enquete')}>
        {poll.options.map((text, index) => (
          <li key={index}>{text}</li>
        ))}
      </ul>
    </>
  )
}

// Loads no third-party map: shows the coordinates and a link to one.
function LocationCard({ data }: { data: unknown }) {
  const location = locationOf(data)
  if (!location) return null
  const { latitude, longitude, name, address } = location
  return (
    <a
      className={css.card}
      href={`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`}
      target="_blank"
      rel="noopener noreferrer"
    >
      <LocationIcon size={19} />
      <span>
        <b>{name || t('Localização')}</b>
        <span>{address || `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`}</span>
      </span>
    </a>
  )
}

function ContactCard({ message, onStart }: Props) {
  const [busy, setBusy] = useState(false)
  const card = cardOf(message.data)
  if (!card) return null
  const { fullName: name, phoneNumber: number, more = [] } = card
  // A card without number cannot be written to.
  const canSave = number !== '' && !message.fromMe && !isRestricted() && may('contacts:write')
  const run = (work: (id: number, isNew: boolean) => Promise<void> | void) => async () => {
    setBusy(true)
    try {
      const { id, isNew } = await (await contactScreens().loadSave())({ name, number })
      await work(id, isNew)
    } catch (error) {
      notifyError(error)
    }
    setBusy(false)
  }
  const publish = (_: number, isNew: boolean) =>
    void notify({ tone: 'pos', title: isNew ? t('Contato salvo') : t('Este contato já estava salvo') })
  return (
    <span className={css.whole}>
      <span className={css.card}>
        <PersonIcon size={19} />
        <span>
          <b>{name}</b>
          {[number, ...more].map((entry, index) => entry && <span key={index}>{entry}</span>)}
        </span>
      </span>
      {canSave && (
        <span className={css.ways}>
          <button type="button" disabled={busy} onClick={() => void run(publish)()}>
            {t('Salvar')}
          </button>
          {onStart && may('tickets:start') && (
            <button type="button" disabled={busy} onClick={() => void run((id) => onStart(id))()}>
              {t('Conversar')}
            </button>
          )}
        </span>
      )}
    </span>
  )
}
