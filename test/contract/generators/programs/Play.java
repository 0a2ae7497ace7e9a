import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.JSON;
import org.openapitools.client.api.ConversationsApi;
import org.openapitools.client.api.OperationsApi;
import org.openapitools.client.api.PeopleApi;
import org.openapitools.client.model.NewConversation;
import org.openapitools.client.model.NewPerson;

public class Play {
    public static void main(String[] args) throws Exception {
        ApiClient client = new ApiClient();
        client.setBasePath(System.getenv("API_URL"));
        client.setBearerToken(System.getenv("API_TOKEN"));
        client.setReadTimeout(40_000);
        String email = System.getenv("PERSON");

        PeopleApi people = new PeopleApi(client);
        String made = UUID.randomUUID().toString();
        NewPerson card = new NewPerson().name("Ines Caldeira").email(email);
        String person = people.createPerson(made, card).getId();
        String again = people.createPerson(made, card).getId();
        String[] listed = people
            .listPeople(null, null, null, null, null, null, email, null, null, null, null)
            .getPeople().stream().map(one -> one.getId()).toArray(String[]::new);

        ConversationsApi conversations = new ConversationsApi(client);
        String key = UUID.randomUUID().toString();
        NewConversation letter =
            new NewConversation().person(person).via(System.getenv("VIA")).text("Hello.");
        conversations.openConversation(key, letter);
        conversations.openConversation(key, letter);
        String state = new OperationsApi(client).getOperation(key, 25, null).getState();
        System.out.println(JSON.getGson().toJson(
            java.util.Map.of("person", person, "again", again, "listed", listed, "state", state)));
    }
}
