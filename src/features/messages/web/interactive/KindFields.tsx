import { Button, TextInput } from '@mantine/core'
import type { InteractiveLimits } from '#domain/messages/interactive.ts'
import { t } from '#web/t.ts'
import { AddIcon, DeleteIcon } from '#web/ui/icons.ts'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import acts from '../acts/acts.module.css'
import { Counted } from './Counted.tsx'
import css from './interactive.module.css'
import { ListFields } from './ListFields.tsx'
import type { MessageDraft } from './message-draft.ts'

/** Fields of the buttons, list, link or form of an interactive message. */
export function KindFields(props: {
  draft: MessageDraft
  limits: InteractiveLimits
  problems: Readonly<Record<string, string>>
  onChange: (changes: Partial<MessageDraft>) => void
}) {
  const { draft, limits, problems, onChange } = props
  const { type, buttons, linkText, url, formText, formId } = draft
  if (type === 'list')
    return limits.list && <ListFields draft={draft} limits={limits.list} problems={problems} onChange={onChange} />
  if (type === 'buttons') {
    const { max = 0, chars = 0 } = limits.buttons ?? {}
    return (
      <>
        {buttons.map((text, n) => (
          <div key={n} className={css.row}>
            <Counted
              label={t('Botão {n}', { n: n + 1 })}
              value={text}
              most={chars}
              error={problems[`buttons.${n}.text`]}
              onChange={(next) => onChange({ buttons: buttons.with(n, next) })}
            />
            {buttons.length > 1 && (
              <IconButton
                size={32}
                aria-label={t('Remover o botão {n}', { n: n + 1 })}
                onClick={() => onChange({ buttons: buttons.toSpliced(n, 1) })}
              >
                <DeleteIcon size={17} />
              </IconButton>
            )}
          </div>
        ))}
        <div className={css.more}>
          <Button
            variant="default"
            size="sm"
            leftSection={<AddIcon size={15} />}
            disabled={buttons.length >= max}
            onClick={() => onChange({ buttons: [...buttons, ''] })}
          >
            {t('Adicionar botão')}
          </Button>
          <span className={css.count}>{t('{count} de {most} botões', { count: buttons.length, most: max })}</span>
        </div>
        {problems['buttons'] && (
          <p className={acts.problem} role="alert">
            {problems['buttons']}
          </p>
        )}
      </>
    )
  }
  if (type === 'cta_url')
    return (
      <>
        <Counted
          label={t('Texto do botão')}
          value={linkText}
          most={limits.link?.chars ?? 0}
          error={problems['link.text']}
          onChange={(text) => onChange({ linkText: text })}
        />
        <TextInput
          label={t('Endereço')}
          inputMode="url"
          value={url}
          error={problems['link.url']}
          onChange={(event) => onChange({ url: event.currentTarget.value })}
        />
      </>
    )
  if (type === 'form')
    return (
      <>
        <TextInput
          label={t('ID do formulário')}
          description={t('O número do formulário (WhatsApp Flow), como o Gerenciador do WhatsApp o mostra.')}
          inputMode="numeric"
          value={formId}
          error={problems['form.formId']}
          onChange={(event) => onChange({ formId: event.currentTarget.value })}
        />
        <Counted
          label={t('Texto do botão')}
          value={formText}
          most={limits.form?.chars ?? 0}
          error={problems['form.text']}
          onChange={(text) => onChange({ formText: text })}
        />
      </>
    )
  return <p className={css.hint}>{t('O contato recebe um botão com o qual envia onde está.')}</p>
}
