import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Answer } from '#kit/contract.ts'
import { mutation } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { DeleteIcon, EditIcon } from '#web/ui/icons.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import { Notice } from '#web/ui/inputs/fields.tsx'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import { assistants } from '../addresses.ts'
import type { AssistantAccount } from '../contract.ts'
import css from './assistants.module.css'
import { money } from './texts.ts'

/** Card of an account: its state, and a test question. */
export function AccountCard({
  account,
  onEdit,
  onRemove,
}: {
  account: AssistantAccount
  onEdit: () => void
  onRemove: () => void
}) {
  const { id, name, isActive, isDefault, config, state, monthCost } = account
  const [text, setText] = useState('')
  const test = useMutation(mutation(assistants.test))
  const about = [config['model'], config['publicId'], config['type'], t('{cost} neste mês', { cost: money(monthCost) })]
  return (
    <Card
      title={name}
      actions={
        <CommandMenu
          label={t('Ações de {name}', { name })}
          commands={[
            { id: 'edit', label: t('Editar'), icon: EditIcon, run: onEdit },
            { id: 'remove', label: t('Excluir…'), icon: DeleteIcon, tone: 'neg', run: onRemove },
          ]}
        />
      }
    >
      <div className={css.account}>
        <p className={css.about}>
          {isActive ? <Pill tone="pos">{t('Ligada')}</Pill> : <Pill>{t('Desligada')}</Pill>}
          {isDefault && <Pill tone="info">{t('Padrão')}</Pill>}
          <span>{about.filter(Boolean).join(' · ')}</span>
          <small>{t('conta nº {id}', { id })}</small>
        </p>
        <form
          className={css.test}
          onSubmit={(event) => {
            event.preventDefault()
            test.mutate({ params: { id }, body: text.trim() ? { text } : {} })
          }}
        >
          <TextInput
            aria-label={t('Pergunta de teste para {name}', { name })}
            placeholder={t('Escreva como um cliente: “Vocês abrem aos sábados?”')}
            maxLength={2000}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <BusyButton type="submit" variant="default" busy={test.isPending} doing={t('Perguntando')}>
            {t('Testar')}
          </BusyButton>
          <Button variant="subtle" onClick={onEdit}>
            {t('Editar')}
          </Button>
        </form>
        <TestResult answer={test.data} state={state} />
      </div>
    </Card>
  )
}

function TestResult({
  answer,
  state,
}: {
  answer: Answer<typeof assistants.test> | undefined
  state: AssistantAccount['state']
}) {
  return (
    <>
      <div aria-live="polite">
        {answer && !answer.ok && <Notice tone="neg">{answer.error ?? t('O assistente não respondeu.')}</Notice>}
        {answer?.ok && (
          <Notice tone="info">
            <span className={css.answer}>{answer.answer}</span>
            <small className={css.used}>
              {[
                answer.model,
                t('{input} tokens de entrada, {output} de saída', {
                  input: answer.inputTokens,
                  output: answer.outputTokens,
                }),
                t('{ms} ms', { ms: answer.ms }),
              ]
                .filter(Boolean)
                .join(' · ')}
            </small>
          </Notice>
        )}
      </div>
      {!answer && state && (
        <p className={css.state} data-failed={!state.ok || undefined}>
          {t('Última chamada, {when}: {text}', { when: formatDateTime(state.at), text: state.text })}
        </p>
      )}
    </>
  )
}
