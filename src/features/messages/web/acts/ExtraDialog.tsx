import { Button, Modal, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { messages } from '#features/messages/addresses.ts'
import { groups } from '#features/messages/groups-addresses.ts'
import { uuid } from '#web/api.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { DialogEnd } from '#web/ui/feedback/DialogEnd.tsx'
import css from '#web/ui/feedback/dialogs.module.css'
import { notify } from '#web/ui/feedback/notify.tsx'
import { SwitchRow } from '#web/ui/inputs/fields.tsx'
import { useUnknownVariables } from '#web/variables.ts'
import { adoptSent } from '../cache/thread-cache.ts'
import acts from './acts.module.css'
import { useAsking } from './use-asking.ts'

type Sent = { messages: Parameters<typeof adoptSent>[1] }
type Problems = Readonly<Record<string, string>>
type Use = (field: string, label: string, problem?: string) => ReactNode

/** Dialog that sends a contact card, a location or a poll; shows each error at its field. */
export function ExtraDialog(props: {
  what: 'card' | 'location' | 'poll' | 'ghost'
  ticket: TicketDetail
  onClose: () => void
}) {
  const { what, ticket, onClose } = props
  const [values, setValues] = useState<Problems>({})
  const [idFront] = useState(uuid)
  const { busy, problems, ask } = useAsking(onClose)
  const set = (field: string, value: string) => setValues((all) => ({ ...all, [field]: value }))
  const value = (field: string) => values[field] ?? ''
  const unknown = useUnknownVariables(value('body'))
  const filled = async (field: string) => {
    const written = value(field).trim()
    return written.includes('{{') ? (await import('../replies/quick-replies.ts')).filledIn(written, ticket) : written
  }
  const input: Use = (field, label, problem) => (
    <TextInput
      label={label}
      value={value(field)}
      error={problems[problem ?? field]}
      onChange={(event) => set(field, event.currentTarget.value)}
    />
  )
  const text = (maxLength: number, description?: string) => (
    <Textarea
      data-autofocus
      autosize
      minRows={2}
      maxRows={8}
      maxLength={maxLength}
      label={t('Mensagem')}
      description={description}
      value={value('body')}
      error={problems['body'] ?? unknown}
      onChange={(event) => set('body', event.currentTarget.value)}
    />
  )
  const params = { ticketId: ticket.id }
  const kinds = {
    card: {
      title: t('Enviar contato'),
      isReady: value('name').trim() !== '' && value('phone').trim() !== '',
      send: (): Promise<Sent> =>
        call(
          messages.card,
          { params, body: { contact: { fullName: value('name'), phoneNumber: value('phone') }, idFront } },
          { quiet: true },
        ),
      fields: (
        <>
          {input('name', t('Nome'), 'contact.fullName')}
          {input('phone', t('Telefone'), 'contact.phoneNumber')}
        </>
      ),
    },
    location: {
      title: t('Enviar localização'),
      isReady: value('latitude').trim() !== '' && value('longitude').trim() !== '',
      send: (): Promise<Sent> => {
        const [latitude, longitude] = [degrees(value('latitude')), degrees(value('longitude'))]
        const location = {
          latitude,
          longitude,
          name: value('name') || undefined,
          address: value('address') || undefined,
        }
        return call(messages.location, { params, body: { location, idFront } }, { quiet: true })
      },
      fields: (
        <>
          <div className={acts.pair}>
            {input('latitude', t('Latitude'), 'location.latitude')}
            {input('longitude', t('Longitude'), 'location.longitude')}
          </div>
          <Button variant="default" onClick={() => locate(set)}>
            {t('Usar onde estou')}
          </Button>
          {input('name', t('Nome do lugar'), 'location.name')}
          {input('address', t('Endereço'), 'location.address')}
        </>
      ),
    },
    ghost: {
      title: t('Avisar todos do grupo'),
      isReady: value('body').trim() !== '',
      send: async (): Promise<Sent> =>
        call(groups.ghost, { body: { ticketId: ticket.id, body: await filled('body'), idFront } }, { quiet: true }),
      fields: text(
        ticket.capabilities.maxTextLength,
        t('Cada participante é avisado como se fosse mencionado, sem nenhum nome no texto.'),
      ),
    },
    poll: {
      title: t('Enviar enquete'),
      isReady: value('body').trim() !== '' && optionsIn(values).length > 1,
      send: async (): Promise<Sent> => {
        const form = {
          ticketId: ticket.id,
          body: await filled('body'),
          options: optionsIn(values),
          many: value('many') !== '',
        }
        return call(messages.poll, { body: { ...form, idFront } }, { quiet: true })
      },
      fields: (
        <>
          <TextInput
            data-autofocus
            label={t('Pergunta')}
            maxLength={255}
            value={value('body')}
            error={problems['body'] ?? unknown}
            onChange={(event) => set('body', event.currentTarget.value)}
          />
          {/* One empty option more than filled-in ones. */}
          {Array.from({ length: Math.min(ticket.capabilities.poll?.max ?? 0, lastOption(values) + 2) }, (_, n) => (
            <TextInput
              key={n}
              label={t('Opção {n}', { n: n + 1 })}
              maxLength={ticket.capabilities.poll?.chars ?? 100}
              value={value(String(n))}
              error={n === 0 ? problems['options'] : undefined}
              onChange={(event) => set(String(n), event.currentTarget.value)}
            />
          ))}
          <SwitchRow
            name={t('Aceitar mais de uma resposta')}
            checked={value('many') !== ''}
            onChange={(many) => set('many', many ? 'many' : '')}
          />
        </>
      ),
    },
  }
  const { title, isReady, send, fields } = kinds[what]
  const submit = () => void ask(async () => adoptSent(ticket.id, (await send()).messages))
  return (
    <Modal opened onClose={onClose} size={440} title={title}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        {fields}
        <DialogEnd problem={problems['']} action={t('Enviar')} isReady={isReady} busy={busy} onClose={onClose} />
      </form>
    </Modal>
  )
}

const isOption = ([field, text]: [string, string]): boolean => /^\d+$/.test(field) && text.trim() !== ''
const optionsIn = (values: Problems): string[] =>
  Object.entries(values).flatMap((one) => (isOption(one) ? [one[1].trim()] : []))
// Index of the last filled-in option, at least the second.
const lastOption = (values: Problems): number =>
  Math.max(1, ...Object.entries(values).flatMap((one) => (isOption(one) ? [Number(one[0])] : [])))

// Accepts a decimal comma.
const degrees = (text: string): string => text.trim().replace(',', '.') || 'x'

function locate(set: (field: string, value: string) => void): void {
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      set('latitude', String(coords.latitude))
      set('longitude', String(coords.longitude))
    },
    () => notify({ tone: 'warn', title: t('O navegador não disse onde você está.') }),
  )
}
