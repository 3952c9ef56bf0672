import { Button, Modal, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sentence } from '#web/api.ts'
import { attempt } from '#web/attempt.ts'
import { call, query } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { may } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { CaseIcon } from '#web/ui/icons.ts'
import { flows, ticketFlow } from '../addresses.ts'
import css from './why-bot.module.css'

/** “Por que o chatbot fez isso?” dialog: decisions of a ticket's chat flow, step by step; for a message only those up to it. */
export function WhyBot(props: { ticketId: number; name: string; messageId?: string | undefined; onClose: () => void }) {
  const { ticketId, name, messageId, onClose } = props
  const filter = messageId === undefined ? {} : { messageId }
  const { data, error, refetch } = useQuery({
    ...query(ticketFlow.get, { params: { id: ticketId }, query: filter }),
    staleTime: 0,
  })
  const startedWith = data?.startedWith ?? null
  return (
    <Modal opened onClose={onClose} size={480} title={t('Por que o chatbot fez isso?')}>
      <div className={css.story}>
        {error && <LoadError text={sentence(error)} retry={() => void refetch()} />}
        {!data && !error && <SkeletonRows kind="table" rows={4} />}
        {data && (
          <p role="status">
            {data.chatFlowId === null
              ? t('Nenhum chatbot atendeu esta conversa.')
              : t('{flow}, versão {version}: da primeira etapa à última.', {
                  flow: data.name ?? '',
                  version: data.version ?? '',
                })}
          </p>
        )}
        {data && data.steps.length > 0 && (
          <ol aria-label={t('O que o chatbot decidiu')}>
            {data.steps.map((step, index) => (
              <li key={index} aria-current={step.isReason ? 'step' : undefined}>
                <b>{step.name ?? t('Fluxo')}</b>
                <span>{step.why}</span>
                {step.isReason && <em>{t('Daqui veio a mensagem.')}</em>}
                <time>{formatDateTime(step.at)}</time>
              </li>
            ))}
          </ol>
        )}
        {startedWith !== null && may('flows:write') && (
          <SaveCase flowId={startedWith} ticketId={ticketId} name={name} />
        )}
      </div>
    </Modal>
  )
}

/** Saves the conversation as a case of the flow. */
function SaveCase({ flowId, ticketId, name }: { flowId: number; ticketId: number; name: string }) {
  const [caseName, setCaseName] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    if (!caseName?.trim()) return
    setBusy(true)
    const input = { params: { id: flowId }, body: { name: caseName, ticketId } }
    const done = await attempt(() => call(flows.caseOfTicket, input, { quiet: true }), t('Caso salvo'))
    setBusy(false)
    if (done) setCaseName(null)
  }
  if (caseName === null)
    return (
      <Button variant="default" leftSection={<CaseIcon size={17} />} onClick={() => setCaseName(name)}>
        {t('Salvar como caso')}
      </Button>
    )
  return (
    <form
      className={css.save}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <TextInput
        label={t('Nome do caso')}
        description={t('O fluxo terá de levar esta conversa pelo mesmo caminho, ao mesmo fim.')}
        required
        autoFocus
        maxLength={100}
        value={caseName}
        onChange={(event) => setCaseName(event.currentTarget.value)}
      />
      <BusyButton busy={isBusy} doing={t('Salvando')} type="submit">
        {t('Salvar')}
      </BusyButton>
    </form>
  )
}
