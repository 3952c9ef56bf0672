import { Button, TextInput } from '@mantine/core'
import type { ExtraEntry } from '#domain/contacts/person.ts'
import { uuid } from '#web/api.ts'
import { t } from '#web/t.ts'
import { AddIcon, DeleteIcon } from '#web/ui/icons.ts'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import css from './contacts.module.css'

/** “Informações adicionais”: pairs of name and value. */
export function ExtraFields(props: { value: ExtraEntry[]; refused: boolean; onChange: (next: ExtraEntry[]) => void }) {
  const { value, refused, onChange } = props
  const change = (id: ExtraEntry['id'], part: Partial<ExtraEntry>) =>
    onChange(value.map((one) => (one.id === id ? { ...one, ...part } : one)))
  return (
    <>
      {value.length === 0 && (
        <p className={css.hint}>{t('O que mais a equipe precisa saber, como convênio ou tamanho.')}</p>
      )}
      {value.map((one) => (
        <div key={one.id} className={css.extra}>
          <TextInput
            label={t('Descrição')}
            required
            maxLength={60}
            value={one.name}
            error={refused && one.name.trim() === '' && one.value.trim() !== '' ? t('Preencha este campo.') : undefined}
            onChange={(event) => change(one.id, { name: event.currentTarget.value })}
          />
          <TextInput
            label={t('Informação')}
            maxLength={500}
            value={one.value}
            onChange={(event) => change(one.id, { value: event.currentTarget.value })}
          />
          <IconButton
            aria-label={t('Remover {name}', { name: one.name || 'campo' })}
            onClick={() => onChange(value.filter((other) => other.id !== one.id))}
          >
            <DeleteIcon size={17} />
          </IconButton>
        </div>
      ))}
      <div>
        <Button
          variant="default"
          leftSection={<AddIcon size={17} />}
          disabled={value.length >= 50}
          onClick={() => onChange([...value, { id: uuid(), name: '', value: '' }])}
        >
          {t('Adicionar campo')}
        </Button>
      </div>
    </>
  )
}
