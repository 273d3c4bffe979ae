package model

import (
	"net/http"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"
)

// openOpenAI is for OpenAI and everything that speaks its wire. Mistral is among them: the client that langchaingo
// has for it takes neither a context nor an HTTP client, so no deadline would hold. Every option that the library
// would otherwise read from the environment is given.
func openOpenAI(e endpoint, name string, client *http.Client) (llms.Model, error) {
	return openai.New(openai.WithToken(noKey), openai.WithModel(name), openai.WithBaseURL(e.baseURL),
		openai.WithOrganization(e.organization), openai.WithHTTPClient(client))
}

// openAzure asks a deployment under its dated API. Resources that have the newer /openai/v1 speak OpenAI's wire as it
// is and can be used with openai: and that base URL.
func openAzure(e endpoint, name string, client *http.Client) (llms.Model, error) {
	return openai.New(openai.WithToken(noKey), openai.WithModel(name), openai.WithBaseURL(e.baseURL), openai.WithOrganization(""),
		openai.WithAPIType(openai.APITypeAzure), openai.WithAPIVersion(e.apiVersion), openai.WithHTTPClient(client))
}
