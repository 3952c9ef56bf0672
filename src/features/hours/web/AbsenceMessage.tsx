import { useMutation } from '@tanstack/react-query'
import { renderTemplate, TEMPLATE_VARIABLES } from '#domain/messages/template.ts'
import type { TemplateField } from '#kit/fields/template.ts'
import { mutation, queryClient } from '#web/client.ts'
import { TemplateInput } from '#web/fields/template.tsx'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { useDraft } from '#web/ui/inputs/use-draft.ts'
import { Card } from '#web/ui/layout/page.tsx'
import { SaveFooter } from '#web/ui/layout/SaveFooter.tsx'
import { exampleValues, useOwnVariables } from '#web/variables.ts'
import { hours } from '../addresses.ts'
import { absenceText } from '../forms.ts'
import css from './hours.module.css'

/** Variables available in absence messages; an agent is rarely known then. */
const offered = ['greeting', 'firstName', 'name', 'businessName', 'phoneNumber', 'protocol'] as const

const field: TemplateField = {
  kind: 'template',
  label: '',
  hint: t('Quem escreve fora do horário recebe este texto. Em branco, nada é enviado. Grupos nunca recebem.'),
  max: 1000,
  variables: Object.fromEntries(offered.map((name) => [name, TEMPLATE_VARIABLES[name]])),
}

/** Editor of the absence message, with its variables and a preview. */
export function AbsenceMessage({ saved }: { saved: string }) {
  const draft = useDraft(saved)
  const own = useOwnVariables()
  const problem = absenceText.safeParse(draft.value).error?.issues[0]?.message
  const save = useMutation(
    mutation(hours.setMessage, {
      onSuccess: async () => {
        await queryClient.invalidateQueries({ queryKey: ['hours'] })
        draft.discard()
        notify({ tone: 'pos', title: t('Mensagem de ausência salva') })
      },
    }),
  )
  return (
    <Card title={t('Mensagem de Ausência')}>
      <TemplateInput
        field={field}
        look={{
          'aria-label': t('Mensagem de Ausência'),
          rows: 4,
          placeholder: t('{{greeting}}, {{firstName}}! Nosso atendimento volta às 8h.'),
        }}
        value={draft.value}
        error={problem}
        onChange={draft.set}
      />
      {draft.value.trim() !== '' && (
        <figure className={css.preview}>
          <figcaption>{t('Como o cliente lê')}</figcaption>
          <blockquote>
            {renderTemplate(draft.value.trim(), { ...exampleValues(own), user: '', userEmail: '' })}
          </blockquote>
        </figure>
      )}
      <SaveFooter
        isChanged={draft.isChanged}
        busy={save.isPending}
        onSave={() => problem === undefined && save.mutate({ body: { messageBusinessHours: draft.value } })}
        onDrop={draft.discard}
      />
    </Card>
  )
}
