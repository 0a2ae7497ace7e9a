package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"example.com/play/client"
	"github.com/google/uuid"
)

type bearer struct{}

func (bearer) Token(context.Context, client.OperationName) (client.Token, error) {
	return client.Token{Token: os.Getenv("API_TOKEN")}, nil
}

func given[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// as is the answer 200; every other one is an answer of its own type.
func as[T any](value any) T {
	answer, ok := value.(T)
	if !ok {
		panic(fmt.Sprintf("%T %+v", value, value))
	}
	return answer
}

func main() {
	ctx := context.Background()
	email, via := os.Getenv("PERSON"), os.Getenv("VIA")
	api := given(client.NewClient(os.Getenv("API_URL"), bearer{}))

	made := client.CreatePersonParams{IdempotencyKey: uuid.NewString()}
	card := &client.NewPerson{Name: client.NewOptNilString("Ines Caldeira"), Email: client.NewOptNilString(email)}
	create := func() string {
		return as[*client.CreatedPersonHeaders](given(api.CreatePerson(ctx, card, made))).Response.ID
	}
	person, again := create(), create()
	list := as[*client.PersonListHeaders](given(api.ListPeople(ctx, client.ListPeopleParams{Email: client.NewOptString(email)})))
	listed := []string{}
	for _, one := range list.Response.People {
		listed = append(listed, one.ID)
	}

	sent := client.OpenConversationParams{IdempotencyKey: uuid.NewString()}
	letter := &client.NewConversation{
		Person: client.NewOptNilString(person),
		Via:    client.NewOptNilString(via),
		Text:   client.NewOptNilString("Hello."),
	}
	for range 2 {
		as[*client.OpenedConversationHeaders](given(api.OpenConversation(ctx, letter, sent)))
	}
	operation := as[*client.OperationHeaders](given(api.GetOperation(ctx, client.GetOperationParams{
		Key:  sent.IdempotencyKey,
		Wait: client.NewOptInt(25),
	})))
	out := map[string]any{"person": person, "again": again, "listed": listed, "state": operation.Response.State}
	fmt.Println(string(given(json.Marshal(out))))
}
