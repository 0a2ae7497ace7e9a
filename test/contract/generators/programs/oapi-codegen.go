package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"example.com/play/client"
	"github.com/google/uuid"
)

func given[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	email, via := os.Getenv("PERSON"), os.Getenv("VIA")
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("API_TOKEN"))
		return nil
	}
	api := given(client.NewClientWithResponses(os.Getenv("API_URL"), client.WithRequestEditorFn(authorize)))

	name := "Ines Caldeira"
	made := &client.CreatePersonParams{IdempotencyKey: uuid.NewString()}
	card := client.NewPerson{Name: &name, Email: &email}
	person := given(api.CreatePersonWithResponse(ctx, made, card)).JSON200
	again := given(api.CreatePersonWithResponse(ctx, made, card)).JSON200
	list := given(api.ListPeopleWithResponse(ctx, &client.ListPeopleParams{Email: &email})).JSON200
	listed := []string{}
	for _, one := range list.People {
		listed = append(listed, one.Id)
	}

	text, wait := "Hello.", 25
	sent := &client.OpenConversationParams{IdempotencyKey: uuid.NewString()}
	letter := client.NewConversation{Person: &person.Id, Via: &via, Text: &text}
	for range 2 {
		if answer := given(api.OpenConversationWithResponse(ctx, sent, letter)); answer.JSON200 == nil {
			panic(string(answer.Body))
		}
	}
	operation := given(api.GetOperationWithResponse(ctx, sent.IdempotencyKey, &client.GetOperationParams{Wait: &wait})).JSON200
	out := map[string]any{"person": person.Id, "again": again.Id, "listed": listed, "state": operation.State}
	fmt.Println(string(given(json.Marshal(out))))
}
