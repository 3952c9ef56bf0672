import { modelConfig } from '../llm.ts'

/** Config of Alibaba’s models. */
export const qwenConfig = modelConfig('qwen', {
  name: 'Qwen',
  help: 'Crie uma chave no Model Studio da Alibaba Cloud, cole aqui e escolha o modelo.',
  baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
})
