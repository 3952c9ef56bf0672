import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { isApiError, sentence } from '#web/api.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { Notice } from '#web/ui/inputs/fields.tsx'
import { webchatChannels } from '../addresses.ts'

/** Form that checks a page of the company's site and shows what keeps the saved channel from appearing. */
export function TestSite({ id }: { id: number }) {
  const [url, setUrl] = useState('')
  const test = useMutation({
    mutationFn: () => call(webchatChannels.test, { params: { id }, body: { url } }, { quiet: true }),
  })
  const problem = isApiError(test.error) && test.error.details['url']
  // The field is within the channel's form: Enter tests the site, Ctrl+Enter saves the form.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    test.mutate()
  }
  return (
    <>
      <TextInput
        label={t('Página do site')}
        description={t('Depois de colar o código, veja se a página mostra o canal como está salvo.')}
        placeholder="loja.com.br"
        inputMode="url"
        value={url}
        error={problem ? String(problem) : undefined}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setUrl(event.currentTarget.value)
          test.reset()
        }}
      />
      <div>
        <BusyButton variant="default" busy={test.isPending} doing={t('Testando')} onClick={() => test.mutate()}>
          {t('Testar')}
        </BusyButton>
      </div>
      <div aria-live="polite">
        {test.data && <Notice tone={test.data.ok ? 'info' : 'neg'}>{test.data.text}</Notice>}
        {test.error && !problem && <Notice tone="neg">{sentence(test.error)}</Notice>}
      </div>
    </>
  )
}
