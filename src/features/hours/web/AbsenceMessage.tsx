import '#web/zod/now.ts'
import { Button, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { offsetMinutes } from '#domain/calendar/local-time.ts'
import { renderTemplate, TEMPLATE_VARIABLES, templateValues, unknownVariables } from '#domain/messages/template.ts'
import { mutation, queryClient } from '#web/client.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { useDraft } from '#web/ui/inputs/use-draft.ts'
import { Card } from '#web/ui/layout/page.tsx'
import { SaveFoot } from '#web/ui/layout/SaveFoot.tsx'
import { absenceText, hours } from '../contract.ts'
import css from './hours.module.css'

/** What a text can say of a customer who has only just written; an attendant is rarely known by then. */
const offered = ['greeting', 'firstName', 'name', 'businessName', 'phoneNumber', 'protocol'] as const

/** The message that customers get outside of the hours, with its variables and how it will read. */
export function AbsenceMessage({ saved }: { saved: string }) {
  const draft = useDraft(saved)
  const field = useRef<HTMLTextAreaElement>(null)
  const unknown = unknownVariables(draft.value, Object.keys(TEMPLATE_VARIABLES))
  const problem = absenceText.safeParse(draft.value).error?.issues[0]?.message
  const save = useMutation(
    mutation(hours.setMessage, {
      onSuccess: async () => {
        await queryClient.invalidateQueries({ queryKey: ['hours'] })
        draft.drop()
        notify({ tone: 'pos', title: t('Mensagem de ausência salva') })
      },
    }),
  )
  const insert = (name: string) => {
    const { selectionStart = draft.value.length, selectionEnd = selectionStart } = field.current ?? {}
    draft.set(`${draft.value.slice(0, selectionStart)}{{${name}}}${draft.value.slice(selectionEnd)}`)
    field.current?.focus()
  }
  return (
    <Card title={t('Mensagem de Ausência')}>
      <Textarea
        ref={field}
        aria-label={t('Mensagem de Ausência')}
        description={t('Quem escreve fora do horário recebe este texto. Vazia, não envia nada. Grupos nunca recebem.')}
        placeholder={t('{{greeting}}, {{firstName}}! Nosso atendimento volta às 8h.')}
        autosize
        minRows={4}
        maxRows={12}
        value={draft.value}
        error={
          problem ??
          (unknown.length > 0
            ? t('Não existe a variável {names}; o texto sairia como está escrito.', {
                names: unknown.map((name) => `{{${name}}}`).join(', '),
              })
            : undefined)
        }
        onChange={(event) => draft.set(event.currentTarget.value)}
      />
      <fieldset className={css.variables}>
        <legend className="g-hidden">{t('Inserir uma variável')}</legend>
        {offered.map((name) => (
          <Button key={name} variant="default" size="sm" onClick={() => insert(name)}>
            {TEMPLATE_VARIABLES[name]}
          </Button>
        ))}
      </fieldset>
      {draft.value.trim() !== '' && (
        <figure className={css.preview}>
          <figcaption>{t('Como o cliente lê')}</figcaption>
          <blockquote>{renderTemplate(draft.value.trim(), sample())}</blockquote>
        </figure>
      )}
      <SaveFoot
        isChanged={draft.isChanged}
        busy={save.isPending}
        onSave={() => problem === undefined && save.mutate({ body: { messageBusinessHours: draft.value } })}
        onDrop={draft.drop}
      />
    </Card>
  )
}

function sample() {
  const now = Date.now()
  return templateValues({
    contact: {
      name: t('Marlene Dias'),
      businessName: t('Padaria Sol'),
      email: 'marlene@exemplo.com.br',
      phoneNumber: '+55 (11) 98765-4321',
    },
    ticket: { id: 1234, createdAt: now },
    now,
    offsetMinutes: offsetMinutes('America/Sao_Paulo', now),
  })
}
