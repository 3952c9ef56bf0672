import { Select, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mutation, query } from '#web/client.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { Notice } from '#web/ui/inputs/fields.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import { phoneAssistants } from '../addresses.ts'
import type { AssistantAccount } from '../contract.ts'
import css from './assistants.module.css'

/** Has a voice assistant call a customer, and says where its provider posts how that went. */
export function PhoneCalls({ accounts }: { accounts: readonly AssistantAccount[] }) {
  const params = { id: viewer().tenantId }
  const assistants = useQuery(query(phoneAssistants.assistants, { params })).data ?? []
  const numbers = useQuery(query(phoneAssistants.numbers, { params })).data ?? []
  const [assistantId, setAssistant] = useState<string | null>(null)
  const [phoneNumberId, setNumber] = useState<string | null>(null)
  const [customer, setCustomer] = useState('')
  const call = useMutation(mutation(phoneAssistants.call))
  const [first] = call.data?.calls ?? []
  const optionsOf = (all: readonly { id: string; name: string }[]) =>
    all.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Card title={t('Ligar para um cliente')}>
      <form
        className={css.test}
        onSubmit={(event) => {
          event.preventDefault()
          if (!assistantId || !phoneNumberId) return
          call.mutate({ params, body: { customers: [customer], assistantId, phoneNumberId } })
        }}
      >
        <Select label={t('Assistente')} data={optionsOf(assistants)} value={assistantId} onChange={setAssistant} />
        <Select label={t('De qual número')} data={optionsOf(numbers)} value={phoneNumberId} onChange={setNumber} />
        <TextInput
          label={t('Número do cliente')}
          description={t('Com DDI e DDD, como 55 11 98765-4321.')}
          value={customer}
          onChange={(event) => setCustomer(event.currentTarget.value)}
        />
        <BusyButton
          type="submit"
          busy={call.isPending}
          doing={t('Ligando')}
          disabled={!assistantId || !phoneNumberId || customer.trim() === ''}
        >
          {t('Ligar')}
        </BusyButton>
      </form>
      <div aria-live="polite">
        {first?.error && <Notice tone="neg">{first.error}</Notice>}
        {first?.callId && <Notice tone="info">{t('A ligação começou: o resumo entra no atendimento no fim.')}</Notice>}
      </div>
      <p className={css.state}>
        {t('Na Vapi, em Server URL, informe o endereço da conta, com o segredo dela:')}
        {accounts.map(({ id, name }) => (
          <span key={id} className={css.answer}>
            {name}: {`${location.origin}/api/assistants/calls/${params.id}/${id}`}
          </span>
        ))}
      </p>
    </Card>
  )
}
