import { Button, TextInput } from '@mantine/core'
import { keysIn } from '#domain/keys.ts'
import { TEMPLATE_LIMITS } from '#domain/message-templates/draft.ts'
import { namesIn, type TemplateButton } from '#domain/message-templates/template.ts'
import { t } from '#web/t.ts'
import { AddIcon, DeleteIcon } from '#web/ui/icons.ts'
import { Pair } from '#web/ui/inputs/fields.tsx'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import css from './template-form.module.css'

// Copy-code buttons belong to authentication templates.
type Kind = Exclude<TemplateButton['kind'], 'otp'>

const KINDS: Readonly<Record<Kind, { name: string; most: number; empty: TemplateButton }>> = {
  reply: { name: t('Resposta rápida'), most: TEMPLATE_LIMITS.buttons, empty: { kind: 'reply', text: '' } },
  url: { name: t('Link'), most: TEMPLATE_LIMITS.urls, empty: { kind: 'url', text: '', url: 'https://' } },
  phone: { name: t('Telefone'), most: TEMPLATE_LIMITS.phones, empty: { kind: 'phone', text: '', phone: '' } },
  code: { name: t('Copiar código'), most: TEMPLATE_LIMITS.codes, empty: { kind: 'code', sample: '' } },
}

/** Editor of a template's buttons, within the provider's limits per kind. */
export function ButtonsField(props: {
  buttons: readonly TemplateButton[]
  problems: Readonly<Record<string, string>>
  onChange: (buttons: readonly TemplateButton[]) => void
}) {
  const { buttons, problems, onChange } = props
  const ours = buttons.flatMap((button, at) => (button.kind === 'otp' ? [] : [{ button, at }]))
  const count = (kind: Kind) => buttons.filter((one) => one.kind === kind).length
  const change = (at: number, next: TemplateButton) => onChange(buttons.with(at, next))
  return (
    <div className={css.part}>
      <p className={css.label}>{t('Botões')}</p>
      {ours.map(({ button, at }) => (
        <fieldset key={at} className={css.button}>
          <legend className="g-hidden">{t('Botão {n}: {kind}', { n: at + 1, kind: KINDS[button.kind].name })}</legend>
          <div className={css.buttonHeader}>
            <span>{KINDS[button.kind].name}</span>
            <IconButton
              size={32}
              aria-label={t('Remover o botão {n}', { n: at + 1 })}
              onClick={() => onChange(buttons.toSpliced(at, 1))}
            >
              <DeleteIcon size={17} />
            </IconButton>
          </div>
          <ButtonFields button={button} problem={problems[`buttons.${at}`]} onChange={(next) => change(at, next)} />
        </fieldset>
      ))}
      {problems['buttons'] && (
        <p className={css.problem} role="alert">
          {problems['buttons']}
        </p>
      )}
      <div>
        <CommandMenu
          position="bottom-start"
          commands={keysIn(KINDS).map((kind) => ({
            id: kind,
            label: KINDS[kind].name,
            when: () => count(kind) < KINDS[kind].most,
            run: () => onChange([...buttons, KINDS[kind].empty]),
          }))}
          target={
            <Button
              variant="default"
              size="sm"
              leftSection={<AddIcon size={15} />}
              disabled={buttons.length >= TEMPLATE_LIMITS.buttons}
            >
              {t('Adicionar botão')}
            </Button>
          }
        />
      </div>
    </div>
  )
}

function ButtonFields(props: {
  button: TemplateButton
  problem: string | undefined
  onChange: (button: TemplateButton) => void
}) {
  const { button, problem, onChange } = props
  if (button.kind === 'code')
    return (
      <TextInput
        label={t('Código de exemplo')}
        maxLength={TEMPLATE_LIMITS.code}
        value={button.sample}
        error={problem}
        onChange={(event) => onChange({ ...button, sample: event.currentTarget.value })}
      />
    )
  const text = (
    <TextInput
      label={t('Texto do botão')}
      maxLength={TEMPLATE_LIMITS.button}
      value={button.text}
      error={problem}
      onChange={(event) => onChange({ ...button, text: event.currentTarget.value })}
    />
  )
  if (button.kind === 'reply' || button.kind === 'otp') return text
  if (button.kind === 'phone')
    return (
      <Pair>
        {text}
        <TextInput
          label={t('Telefone com país e DDD')}
          inputMode="tel"
          maxLength={TEMPLATE_LIMITS.phone}
          value={button.phone}
          onChange={(event) => onChange({ ...button, phone: event.currentTarget.value.replace(/[^\d+]/g, '') })}
        />
      </Pair>
    )
  return (
    <>
      <Pair>
        {text}
        <TextInput
          label={t('Endereço')}
          description={t('Pode terminar em {{1}}, que muda a cada envio.')}
          maxLength={TEMPLATE_LIMITS.url}
          value={button.url}
          onChange={(event) => onChange({ ...button, url: event.currentTarget.value.trim() })}
        />
      </Pair>
      {namesIn(button.url).length > 0 && <EndSample button={button} onChange={onChange} />}
    </>
  )
}

function EndSample(props: {
  button: Extract<TemplateButton, { kind: 'url' }>
  onChange: (button: TemplateButton) => void
}) {
  const { button, onChange } = props
  return (
    <TextInput
      label={t('Exemplo do fim do endereço')}
      value={button.sample ?? ''}
      onChange={(event) => onChange({ ...button, sample: event.currentTarget.value })}
    />
  )
}
