import { TextInput } from '@mantine/core'
import { TEMPLATE_LIMITS } from '#domain/message-templates/draft.ts'
import type { CodeTemplate, TemplateButton } from '#domain/message-templates/template.ts'
import { t } from '#web/t.ts'
import { CountInput } from '#web/ui/inputs/CountInput.tsx'
import { SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
import css from './template-form.module.css'

/** Fields of an authentication template, whose text the provider writes in the template's language. */
export function CodeFields(props: {
  code: CodeTemplate
  button: TemplateButton | undefined
  problems: Readonly<Record<string, string>>
  onCode: (code: CodeTemplate) => void
  onButton: (button: TemplateButton) => void
}) {
  const { code, button, problems, onCode, onButton } = props
  return (
    <div className={css.part}>
      <SwitchGroup>
        <SwitchRow
          name={t('Avisar para não compartilhar o código')}
          checked={code.isWarned}
          onChange={(isWarned) => onCode({ ...code, isWarned })}
        />
        <SwitchRow
          name={t('Dizer quando o código vence')}
          checked={code.minutes !== null}
          onChange={(isShown) => onCode({ ...code, minutes: isShown ? 10 : null })}
        />
      </SwitchGroup>
      {code.minutes !== null && (
        <CountInput
          label={t('Vence em quantos minutos')}
          value={code.minutes}
          description={t('De 1 a 90')}
          error={problems['code.minutes']}
          onChange={(minutes) => onCode({ ...code, minutes })}
        />
      )}
      <TextInput
        label={t('Botão que copia o código')}
        maxLength={TEMPLATE_LIMITS.button}
        value={button?.kind === 'otp' ? button.text : ''}
        error={problems['buttons.0']}
        onChange={(event) => onButton({ kind: 'otp', text: event.currentTarget.value })}
      />
    </div>
  )
}
