import { Button, Select, Textarea } from '@mantine/core'
import { useState } from 'react'
import { t } from '#web/t.ts'
import type { Played, Turn } from './conversation.ts'
import css from './simulator.module.css'

const statuses = [
  { value: '200', label: t('200: deu certo') },
  { value: '404', label: t('404: não achou') },
  { value: '500', label: t('500: falhou') },
  { value: '0', label: t('Não responde') },
]

const answers = [
  { value: '200', label: t('Responde') },
  { value: '0', label: t('Não responde') },
]

/** Form that chooses the simulated response of an external call; no system is called. */
export function OutsideAnswer(props: { call: NonNullable<Played['call']>; onAnswer: (turn: Turn) => void }) {
  const { call, onAnswer } = props
  const { isAssistant } = call
  const [status, setStatus] = useState('200')
  const [body, setBody] = useState(isAssistant ? '' : '{}')
  return (
    <form
      className={css.call}
      onSubmit={(event) => {
        event.preventDefault()
        onAnswer({
          does: 'respond',
          nodeId: call.nodeId,
          status: Number(status),
          body: status === '0' ? '' : body,
        })
      }}
    >
      {!isAssistant && (
        <p>
          <b>{call.method}</b> <span>{call.url}</span>
        </p>
      )}
      <Select
        label={isAssistant ? t('O assistente') : t('O sistema externo responde')}
        allowDeselect={false}
        data={isAssistant ? answers : statuses}
        value={status}
        onChange={(chosen) => setStatus(chosen ?? '200')}
      />
      {status !== '0' && (
        <Textarea
          label={t('Com')}
          autosize
          maxRows={8}
          maxLength={65_536}
          value={body}
          onChange={(event) => setBody(event.currentTarget.value)}
        />
      )}
      <Button type="submit" size="sm" variant="light">
        {t('Responder')}
      </Button>
    </form>
  )
}
