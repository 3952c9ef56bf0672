import { Select, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatPhone } from '#domain/phone/shown.ts'
import { firstOf } from '#domain/present.ts'
import type { Answer } from '#kit/contract.ts'
import { mutation, query } from '#web/client.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Notice } from '#web/ui/inputs/fields.tsx'
import { phoneAssistants } from '../addresses.ts'
import css from './assistants.module.css'

/** Returns the name that the provider gave a number; a phone number is displayed as one. */
const numberText = (name: string): string => (/^\+?\d{10,15}$/.test(name) ? formatPhone(name.replace('+', '')) : name)

const onlyOf = (all: readonly { id: string }[] = []): string | null => (all.length === 1 ? firstOf(all).id : null)

/** Form that has a voice assistant call a number or a ticket's contact; a single choice is preselected. */
export function PhoneForm({ ticketId }: { ticketId?: number }) {
  const params = { id: viewer().tenantId }
  const assistants = useQuery(query(phoneAssistants.assistants, { params }))
  const numbers = useQuery(query(phoneAssistants.numbers, { params }))
  const [chosen, setChosen] = useState<{ assistant?: string | null; number?: string | null }>({})
  const [customer, setCustomer] = useState('')
  const call = useMutation(mutation(phoneAssistants.call))
  const [first] = call.data?.calls ?? []
  const assistantId = chosen.assistant === undefined ? onlyOf(assistants.data) : chosen.assistant
  const phoneNumberId = chosen.number === undefined ? onlyOf(numbers.data) : chosen.number
  const isWhole = assistantId !== null && phoneNumberId !== null && (ticketId !== undefined || customer.trim() !== '')
  if (assistants.isPending || numbers.isPending) return <SkeletonRows kind="table" rows={2} />
  return (
    <>
      {assistants.data?.length === 0 && (
        <Notice tone="info">
          {t('Nenhum assistente de voz respondeu: confira a conta em Configurações › Bots e IA › Vapi.')}
        </Notice>
      )}
      <form
        className={css.call}
        onSubmit={(event) => {
          event.preventDefault()
          const whom = ticketId === undefined ? { customers: [customer] } : { ticketId }
          if (isWhole) call.mutate({ params, body: { ...whom, assistantId, phoneNumberId } })
        }}
      >
        <Select
          label={t('Assistente')}
          data={(assistants.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={assistantId}
          onChange={(assistant) => setChosen({ ...chosen, assistant })}
        />
        <Select
          label={t('De qual número')}
          data={(numbers.data ?? []).map(({ id, name }) => ({ value: id, label: numberText(name) }))}
          value={phoneNumberId}
          onChange={(number) => setChosen({ ...chosen, number })}
        />
        {ticketId === undefined && (
          <TextInput
            label={t('Número do cliente')}
            description={t('Com DDI e DDD, como 55 11 98765-4321.')}
            value={customer}
            onChange={(event) => setCustomer(event.currentTarget.value)}
          />
        )}
        <BusyButton
          type="submit"
          busy={call.isPending}
          doing={t('Ligando')}
          disabled={!isWhole || Boolean(first?.callId)}
        >
          {t('Ligar')}
        </BusyButton>
      </form>
      <Outcome call={first} />
    </>
  )
}

function Outcome({ call }: { call: Answer<typeof phoneAssistants.call>['calls'][number] | undefined }) {
  return (
    <div aria-live="polite">
      {call?.error && <Notice tone="neg">{call.error}</Notice>}
      {call?.callId && (
        <Notice tone="info">{t('A ligação começou: o resumo e a transcrição entram no atendimento no fim.')}</Notice>
      )}
    </div>
  )
}
