import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { contactEvents } from '#features/ledger/event-addresses.ts'
import type { CallInput } from '#kit/contract.ts'
import { fieldOf, type OwnField } from '#kit/own-fields.ts'
import { isApiError, notifyError } from '#web/api.ts'
import { useChoices } from '#web/choices.ts'
import { call, query, queryClient } from '#web/client.ts'
import { FieldInput } from '#web/fields/field.tsx'
import { on } from '#web/realtime/realtime.ts'
import { t } from '#web/t.ts'
import { SwitchRow } from '#web/ui/inputs/fields.tsx'
import { ManyChoice } from '#web/ui/inputs/ManyChoice.tsx'
import { contacts } from '../addresses.ts'
import type { ContactDetail } from '../contract.ts'
import css from './panel.module.css'

type Value = ContactDetail['fields'][string] | null
type Body = CallInput<typeof contacts.update>['body']

/** Sections of a contact beside a conversation: wallets, custom fields and blocks, each editable in place. */
export function PanelSections({ contactId }: { contactId: number }) {
  const { data: contact } = useQuery({ ...query(contacts.get, { params: { id: contactId } }), retry: false })
  const colleagues = useChoices('users')
  const fields = useChoices('contactFields')
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  useEffect(
    () =>
      on(contactEvents.update, ({ id }) => {
        if (id === contactId) void queryClient.invalidateQueries({ queryKey: [contacts.get.family] })
      }),
    [contactId],
  )
  if (!contact) return null
  const save = async (body: Body, key = '') => {
    try {
      await call(contacts.update, { params: { id: contact.id }, body }, { quiet: true })
      setProblems(({ [key]: _, ...others }) => others)
    } catch (error) {
      const why = isApiError(error) && error.details[key]
      if (typeof why === 'string') setProblems((others) => ({ ...others, [key]: why }))
      else notifyError(error)
    }
  }
  return (
    <>
      <Section title={t('Carteira')}>
        <ManyChoice
          label={t('Quem cuida deste cliente')}
          none={t('Ninguém com esse nome')}
          options={colleagues}
          chosen={contact.wallets.map(({ id }) => id)}
          onChange={(wallets) => void save({ wallets })}
        />
      </Section>
      {fields.length > 0 && (
        <Section title={t('Campos')}>
          {fields.map((field) => (
            <OwnInput
              key={`${contact.id} ${field.id}`}
              field={field}
              stored={contact.fields[field.id] ?? null}
              error={problems[`fields.${field.id}`]}
              onSave={(value) => void save({ fields: { [field.id]: value } }, `fields.${field.id}`)}
            />
          ))}
        </Section>
      )}
      <Blocks contact={contact} save={save} />
      <Link className={css.page} to={`/contatos/${contact.id}`}>
        {t('Tudo sobre o contato')}
      </Link>
    </>
  )
}

function Blocks({ contact, save }: { contact: ContactDetail; save: (body: Body, key?: string) => Promise<void> }) {
  return (
    <Section title={t('Bloqueios')}>
      <SwitchRow
        name={t('Bloquear contato')}
        effect={t('As mensagens dele deixam de chegar.')}
        checked={contact.blocked}
        onChange={(blocked) => void save({ blocked })}
      />
      <SwitchRow
        name={t('Bloquear chatbot')}
        effect={t('Nenhum fluxo responde a ele.')}
        checked={contact.chatbotBlocked}
        onChange={(chatbotBlocked) => void save({ chatbotBlocked })}
      />
    </Section>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={css.section}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

const isSame = (a: Value, b: Value) => (a === '' ? null : a) === (b === '' ? null : b)

// Typed values are saved on blur, chosen ones at once.
function OwnInput(props: {
  field: OwnField
  stored: Value
  error: string | undefined
  onSave: (value: Value) => void
}) {
  const { field, stored, error, onSave } = props
  const [value, setValue] = useState(stored)
  const last = useRef(stored)
  useEffect(() => {
    if (!isSame(last.current, stored)) setValue(stored)
    last.current = stored
  }, [stored])
  const isChosen = field.type === 'choice' || field.type === 'boolean'
  const empty = field.type === 'boolean' ? false : field.type === 'text' ? '' : null
  const leave = () => {
    if (!isChosen && !isSame(value, stored)) onSave(value === '' ? null : value)
  }
  return (
    <form
      onBlur={leave}
      onSubmit={(event) => {
        event.preventDefault()
        leave()
      }}
    >
      <FieldInput
        field={fieldOf(field)}
        value={value ?? empty}
        error={error}
        onChange={(next) => {
          setValue(next)
          if (isChosen) onSave(next)
        }}
      />
    </form>
  )
}
